"""The files of a data set, each computed by itself: by the machines of a Dask cluster, or by this one.

`partitions` lists them, `task` says what is done with one, `running` does it to all of them, on the cluster that
`connection` is made to or here, and `whole` makes one folder of the results, as `folder` keeps it. `storage` is where
data lies.
"""
