// What the Glibc module does not show of Linux.
#pragma once

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <libintl.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>

/// Names the calling thread, as `top -H` shows it; at most 15 bytes.
static inline void linux_name_this_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

/// Has the calling thread run only when no other wants to.
static inline void linux_run_when_idle(void) {
    const struct sched_param none = {0};
    sched_setscheduler(0, SCHED_IDLE, &none);
}

/// Has all threads share one heap: with one each, what one has let go is of no use to the others.
static inline void linux_share_heap(void) { mallopt(M_ARENA_MAX, 1); }

/// Gives memory that is free back to the system.
static inline void linux_trim_memory(void) { malloc_trim(0); }
