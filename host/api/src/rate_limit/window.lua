-- One request against one key's rolling window, atomically: the same rules as in memory.rs.
--
-- KEYS[1]  sorted set: one member for each admitted request, its score the time in microseconds
-- ARGV[1]  limit
-- ARGV[2]  length of the window in microseconds
-- now      microseconds; set by the line that stands before this text when it is loaded
--
-- Returns {1 or 0 for admitted, requests in the window before this one, microseconds until the oldest
-- leaves}. Times have 16 digits; Lua would write them with 14, hence the explicit format.
local limit, window = tonumber(ARGV[1]), tonumber(ARGV[2])
local function digits(time) return string.format('%.0f', time) end

-- Only a clock that was set back leaves requests further ahead than a window.
redis.call('ZREMRANGEBYSCORE', KEYS[1], '(' .. digits(now + window), '+inf')
local newest = redis.call('ZRANGE', KEYS[1], -1, -1, 'WITHSCORES')[2]
if newest then now = math.max(now, tonumber(newest)) end

redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', digits(now - window))
local used = redis.call('ZCARD', KEYS[1])
local admitted = used < limit
if admitted then
  -- At one instant the count only grows, so the two together are unique.
  redis.call('ZADD', KEYS[1], digits(now), digits(now) .. ':' .. used)
  -- `now` may be ahead of the clock by a window; idle keys vanish soon after.
  redis.call('PEXPIRE', KEYS[1], digits(math.ceil(window / 1000) * 2))
end
local oldest = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')[2]
local left = window
if oldest then left = tonumber(oldest) + window - now end
return { admitted and 1 or 0, used, left }
