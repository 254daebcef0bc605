#~ PW1013
class "short" { priority = class.batch.priorty }
