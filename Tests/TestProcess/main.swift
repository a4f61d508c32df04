print("test process")
