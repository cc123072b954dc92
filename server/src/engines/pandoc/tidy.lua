-- Runs within pandoc, between reading and writing. It names what has no title, puts pictures of the document into the
-- text or leaves them out, and takes away wrappers that mean nothing in markup. What it is to do comes as metadata of
-- ours, which is not written. It opens no file.

local LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

-- Two letters for every twelve bits: half the work of one letter for six.
local pairs_of = {}
for high = 1, 64 do
  for low = 1, 64 do
    pairs_of[(high - 1) * 64 + low - 1] = LETTERS:sub(high, high) .. LETTERS:sub(low, low)
  end
end

local function base64(bytes)
  local out = {}
  local whole = #bytes - #bytes % 3
  for at = 1, whole, 3 do
    local a, b, c = bytes:byte(at, at + 2)
    out[#out + 1] = pairs_of[a << 4 | b >> 4]
    out[#out + 1] = pairs_of[(b & 15) << 8 | c]
  end
  if #bytes - whole == 1 then
    out[#out + 1] = pairs_of[bytes:byte(whole + 1) << 4] .. '=='
  elseif #bytes - whole == 2 then
    local a, b = bytes:byte(whole + 1, whole + 2)
    out[#out + 1] = pairs_of[a << 4 | b >> 4] .. pairs_of[(b & 15) << 8]:sub(1, 1) .. '='
  end
  return table.concat(out)
end

local wish = {}

local function note(meta)
  for _, key in ipairs({ 'name', 'untitled', 'pictures', 'bare' }) do
    local given = meta['reforge-' .. key]
    wish[key] = given and pandoc.utils.stringify(given) or ''
    meta['reforge-' .. key] = nil
  end
  if wish.untitled ~= '' and meta.title == nil and meta[wish.untitled] == nil then meta[wish.untitled] = wish.name end
  return meta
end

local function left_out(image)
  io.stderr:write('[LEFT OUT] ' .. image.src:sub(1, 100) .. '\n')
  return image.caption
end

-- `embed` and `remove` are for pictures of the document; `pack` is for formats that hold their pictures themselves, and
-- would go and look for those that are elsewhere.
local function picture(image)
  if wish.pictures == '' then return nil end
  local mime, bytes = pandoc.mediabag.lookup(image.src)
  local within = bytes ~= nil or image.src:sub(1, 5) == 'data:'
  if wish.pictures == 'pack' then return not within and left_out(image) or nil end
  if not within then return nil end
  if wish.pictures == 'remove' then return left_out(image) end
  if bytes == nil then return nil end
  image.src = 'data:' .. (mime or 'application/octet-stream') .. ';base64,' .. base64(bytes)
  return image
end

local function unwrap(element)
  if wish.bare == 'yes' then return element.content end
end

return { { Meta = note }, { Image = picture, Div = unwrap, Span = unwrap } }
