#~ PW1005
class {
  priority = 1
}
