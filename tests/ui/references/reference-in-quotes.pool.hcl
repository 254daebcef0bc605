#~ PW1016
locals { teams = ["${tenant.nlp}"] }

queue "night" {
  class   = "${class.batch}"
  tenants = ["${tenant.nlp}"]
  pools   = [pool.hpc]
}
