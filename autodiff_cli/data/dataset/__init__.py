"""The files of a data set, each computed by itself: by the machines of a Dask cluster, or by this one.

`partitions` lists them, `partition_task` computes one, and `execution` all of them, on the cluster that `connection`
connects to or here, into an `output_folder`. `file_systems` opens local files and those of object stores,
`delta` knows which files of a Delta table are its latest version.
"""
