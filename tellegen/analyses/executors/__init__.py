"""Where many jobs are done: here, in threads, in processes on all cores, or on a cluster by Dask or Ray."""
