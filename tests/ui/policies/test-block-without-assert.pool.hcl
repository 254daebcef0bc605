#~ PW1009
test "nothing" {}
