#~ PW0098
# poolwright:allow PW4033 the sign is missing
class "short" { priority = 1 }

# poolwright:allow(duplicates, 4033) words are no codes
class "long" { priority = 2 }

# poolwright:allow() nothing
class "later" { priority = 3 }
