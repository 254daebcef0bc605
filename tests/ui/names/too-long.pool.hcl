#~ PW1006
class "a-class-with-a-name-that-is-longer-than-any-target-takes" { priority = 1 }
