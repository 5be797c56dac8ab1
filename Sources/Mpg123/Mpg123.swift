// Mpg123
