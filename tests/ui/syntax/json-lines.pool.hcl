#~ PW0021
#~ PW0027
class "urgent" {
  "priority": 100,
  "limits": { "gpus": 8 },
}

class "later" {
  priority: 5,
}
