#~ PW4046
class "train" {
  priority   = 200
  checkpoint = { every = "20m", write = "25m" }
}

class "short" {
  priority   = 10
  checkpoint = { every = "1h", write = "1m" }
  limits     = { run_time = "30m" }
}
