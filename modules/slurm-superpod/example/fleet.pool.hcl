fleet { name = "superpod" }
