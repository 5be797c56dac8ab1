print("tianlai")
