#~ PW1011
class "short" { priority = self.gpus }
