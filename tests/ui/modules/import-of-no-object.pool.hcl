#~ PW1025
import {
  to = queue.batch
  id = "batch"
}
