print("grampad")
