/* All that this header declares stands before the code that includes it (c_wrapper.py). */
