"""FMUs in processes of their own: a crash of their code is an error of a run, and ends only that."""
