-- Fills columns of nodes from the tiles of this mod. A tile holds, for every column, rows from the south and columns from the west: the
-- y of its highest node of ground in two bytes, the lower one first, and after all of these a byte each with the class of its cover, plus
-- 128 for water above the sea. Tiles are compressed by zlib.
local path = core.get_modpath(core.get_current_modname())
local map = dofile(path .. "/map.lua")

local tiles, order = {}, {}

local function tile(tx, tz)
    local name = tx .. "_" .. tz
    local known = tiles[name]
    if known then
        return known
    end
    local file = assert(io.open(path .. "/tiles/" .. name .. ".bin", "rb"))
    local text = core.decompress(file:read("*a"), "deflate")
    file:close()
    known = {
        text = text,
        width = math.min(map.tile, map.width - tx * map.tile),
        height = math.min(map.tile, map.length - tz * map.tile),
    }
    tiles[name] = known
    order[#order + 1] = name
    if #order > 64 then
        tiles[table.remove(order, 1)] = nil
    end
    return known
end

-- The highest node of ground of a column, its class from 1, and whether water covers it above the sea; nothing outside the map.
local function column(x, z)
    local cx, cz = x - map.west, z - map.south
    if cx < 0 or cz < 0 or cx >= map.width or cz >= map.length then
        return nil
    end
    local tx, tz = math.floor(cx / map.tile), math.floor(cz / map.tile)
    local t = tile(tx, tz)
    local i = (cz - tz * map.tile) * t.width + cx - tx * map.tile
    local low, high = t.text:byte(2 * i + 1, 2 * i + 2)
    local top = low + 256 * high
    if top >= 32768 then
        top = top - 65536
    end
    local cover = t.text:byte(2 * t.width * t.height + i + 1)
    return top, cover % 128 + 1, cover >= 128
end

-- The first of these nodes that the game has.
local function node(names)
    for _, name in ipairs(names) do
        local real = core.registered_aliases[name] or name
        if core.registered_nodes[real] then
            return core.get_content_id(real)
        end
    end
    return core.CONTENT_AIR
end

local nodes

local function find_nodes()
    nodes = {
        stone = node({"mapgen_stone", "default:stone", "mcl_core:stone"}),
        water = node({"mapgen_water_source", "default:water_source", "mcl_core:water_source"}),
        lake = node({"mapgen_river_water_source", "default:river_water_source", "mapgen_water_source",
            "default:water_source"}),
        bed = node({"default:sand", "mcl_core:sand", "mapgen_sand", "mapgen_stone"}),
        surface = {},
        filler = {},
    }
    local surfaces = {
        grass = {"default:dirt_with_grass", "mcl_core:dirt_with_grass", "mapgen_dirt_with_grass"},
        sand = {"default:sand", "mcl_core:sand", "mapgen_sand"},
        snow = {"default:dirt_with_snow", "mcl_core:dirt_with_grass_snow", "mapgen_dirt_with_snow", "default:snowblock"},
        gravel = {"default:gravel", "mcl_core:gravel", "mapgen_gravel"},
        dirt = {"default:dirt", "mcl_core:dirt", "mapgen_dirt"},
        stone = {},
    }
    local fillers = {
        grass = surfaces.dirt, snow = surfaces.dirt, dirt = surfaces.dirt,
        sand = surfaces.sand, gravel = surfaces.gravel, stone = {},
    }
    for class, kind in ipairs(map.surfaces) do
        local surface, filler = node(surfaces[kind]), node(fillers[kind])
        nodes.surface[class] = surface ~= core.CONTENT_AIR and surface or nodes.stone
        nodes.filler[class] = filler ~= core.CONTENT_AIR and filler or nodes.stone
    end
end

-- Fills the part of the map from minp to maxp; returns whether there was anything to fill.
local function generate(vm, minp, maxp)
    if maxp.x < map.west or minp.x >= map.west + map.width or maxp.z < map.south
        or minp.z >= map.south + map.length or minp.y > map.highest then
        return false
    end
    if not nodes then
        find_nodes()
    end
    local emin, emax = vm:get_emerged_area()
    local area = VoxelArea:new({MinEdge = emin, MaxEdge = emax})
    local data = vm:get_data()
    for z = minp.z, maxp.z do
        for x = minp.x, maxp.x do
            local top, class, wet = column(x, z)
            if top then
                local i = area:index(x, minp.y, z)
                for y = minp.y, math.min(maxp.y, math.max(top, map.sea)) do
                    if y > top then
                        data[i] = nodes.water
                    elseif y == top then
                        data[i] = wet and nodes.lake or top < map.sea and nodes.bed or nodes.surface[class]
                    elseif y > top - 4 then
                        data[i] = (wet or top < map.sea) and nodes.bed or nodes.filler[class]
                    else
                        data[i] = nodes.stone
                    end
                    i = i + area.ystride
                end
            end
        end
    end
    vm:set_data(data)
    vm:set_lighting({day = 0, night = 0}, minp, maxp)
    vm:calc_lighting()
    return true
end

if not core.register_mapgen_script and core.save_gen_notify then
    -- This is the environment of the map generator.
    core.register_on_generated(generate)
end

return generate
