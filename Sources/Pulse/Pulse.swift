// Pulse
