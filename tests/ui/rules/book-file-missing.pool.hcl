#~ PW4027
price_book "mine" { source = "prices/lambda.csv" }
