"""The ops, one file per family; importing a file defines its ops."""
