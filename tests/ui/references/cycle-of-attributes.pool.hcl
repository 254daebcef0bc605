#~ PW1012
class "a" { priority = class.b.priority + 1 }

class "b" { priority = class.a.priority + 1 }
