import Weighing
