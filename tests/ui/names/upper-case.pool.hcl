#~ PW1006
tenant "NLP_Team" {
  namespaces = ["nlp"]
}
