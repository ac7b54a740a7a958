"""The same passes on a cluster, and predictions that wait to be computed.

Dask is imported when a collection comes, not with this package.
"""
