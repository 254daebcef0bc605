#~ PW3003
#~ PW3012
locals {
  text   = "for $${nme}\n"
  filled = templatestring(local.text, { name = "nlp" })
  pools  = templatestring("all:\n$${join(\", \", pools)} of $${pools}", { pools = ["a"] })
}
