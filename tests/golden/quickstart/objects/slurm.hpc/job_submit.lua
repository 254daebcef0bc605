-- poolwright: fleet acme, slurm.hpc
-- Gives jobs that name no QoS the one of their queue's class, and keeps users out of later steps of a route.
-- A job in a partition that is not in this table is left as it is.

-- slurm.hpc/slurm/JobSubmit/job_submit
local partitions = {}
partitions["dev"] = { class = "dev", gpus = { "h100-80gb-sxm" }, queue = "dev" }
partitions["urgent"] = { class = "urgent", gpus = { "h100-80gb-sxm" }, queue = "urgent" }

-- The rules, applied. From here on the text is the same on every cluster.

local function words(text)
  local list = {}
  for word in string.gmatch(text or "", "[^,%s]+") do
    list[#list + 1] = word
  end
  return list
end

local function contains(list, wanted)
  for _, word in ipairs(list or {}) do
    if word == wanted then
      return true
    end
  end
  return false
end

local function given(text)
  return text ~= nil and text ~= ""
end

-- Names of the partitions that a job may go to; the default one where it names none.
local function wanted_partitions(job, parts)
  if given(job.partition) then
    return words(job.partition)
  end
  for name, part in pairs(parts) do
    if part.flag_default == 1 then
      return { name }
    end
  end
  return {}
end

-- gpu:4 becomes gpu:<type>:4, so that limits on a type count it. Without a colon before the number Slurm means a count.
local function with_type(text, gpu)
  local list, changed = {}, false
  for _, word in ipairs(words(text)) do
    local head, tail = string.match(word, "^(gres[:/]gpu)(.*)$")
    if head == nil then
      head, tail = string.match(word, "^(gpu)(.*)$")
    end
    if head ~= nil and (tail == "" or string.match(tail, "^[:=]%d+$")) then
      word, changed = head .. ":" .. gpu .. tail, true
    end
    list[#list + 1] = word
  end
  return table.concat(list, ","), changed
end

local gpu_fields = { "tres_per_job", "tres_per_node", "tres_per_socket", "tres_per_task" }

local function refuse(message)
  slurm.log_user("%s", message)
  return slurm.ERROR
end

local function submit(job, parts, uid)
  local names = wanted_partitions(job, parts)
  local ours, foreign = {}, false
  for _, name in ipairs(names) do
    if partitions[name] ~= nil then
      ours[#ours + 1] = name
    else
      foreign = true
    end
  end
  if #ours == 0 then
    return slurm.SUCCESS
  end

  if uid ~= 0 then
    for _, name in ipairs(ours) do
      local rule = partitions[name]
      if rule.later then
        return refuse("partition " .. name .. " is a later step of queue " .. rule.queue
          .. ", which opens it when its time has come: submit to " .. rule.queue)
      end
    end
  end

  if given(job.qos) then
    local allowed, anywhere = {}, foreign
    for _, name in ipairs(ours) do
      local rule = partitions[name]
      if rule.class == nil or rule.class == job.qos or contains(rule.allow, job.qos) then
        anywhere = true
      end
      allowed[#allowed + 1] = rule.class
      for _, class in ipairs(rule.allow or {}) do
        allowed[#allowed + 1] = class
      end
    end
    if uid ~= 0 and not anywhere then
      return refuse("class " .. job.qos .. " is not allowed in " .. table.concat(ours, ",")
        .. ", which takes " .. table.concat(allowed, ", "))
    end
  else
    local class = partitions[ours[1]].class
    for _, name in ipairs(ours) do
      if partitions[name].class ~= class then
        return refuse("queues " .. table.concat(ours, ",") .. " have different classes: name one with --qos")
      end
    end
    if class ~= nil then
      job.qos = class
    end
  end

  -- Where the job may run in the end: all steps of a queue that opens them at once.
  local open, places = partitions[ours[1]].open, ours
  if open ~= nil and #names == 1 then
    job.partition = table.concat(open, ",")
    places = open
  end
  if foreign then
    return slurm.SUCCESS
  end

  local types, capped = {}, false
  for _, name in ipairs(places) do
    capped = capped or partitions[name].capped
    for _, gpu in ipairs(partitions[name].gpus or {}) do
      if not contains(types, gpu) then
        types[#types + 1] = gpu
      end
    end
  end
  for _, field in ipairs(gpu_fields) do
    if #types > 0 and given(job[field]) then
      local text, changed = with_type(job[field], types[1])
      if changed and #types == 1 then
        job[field] = text
      elseif changed and capped and uid ~= 0 then
        return refuse("say which GPUs, as in gpu:" .. types[1] .. ":1; there are " .. table.concat(types, ", "))
      end
    end
  end

  for _, name in ipairs(places) do
    local within = partitions[name].within
    if within ~= nil then
      if uid ~= 0 and within > 0 and job.min_nodes ~= slurm.NO_VAL and job.min_nodes > within then
        return refuse("jobs of " .. name .. " stay within one switch of " .. within .. " nodes, and this one asks for "
          .. job.min_nodes)
      end
      job.req_switch = 1
      break
    end
  end
  return slurm.SUCCESS
end

function slurm_job_submit(job, parts, uid)
  return submit(job, parts, uid)
end

function slurm_job_modify(job, record, parts, uid)
  if uid == 0 or not given(job.partition) then
    return slurm.SUCCESS
  end
  local has = words(record.partition)
  for _, name in ipairs(words(job.partition)) do
    local rule = partitions[name]
    if rule ~= nil and rule.later and not contains(has, name) then
      return refuse("partition " .. name .. " is a later step of queue " .. rule.queue .. ", and not for users to open")
    end
  end
  return slurm.SUCCESS
end

return slurm.SUCCESS
