#~ PW0025
class "short"
{
  priority = 1
}
