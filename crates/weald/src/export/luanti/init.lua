-- Makes the map of this mod: chooses the map generator that makes nothing, and registers the one of this mod.
local path = core.get_modpath(core.get_current_modname())
local map = dofile(path .. "/map.lua")

core.set_mapgen_setting("mg_name", "singlenode", true)
core.set_mapgen_setting("water_level", tostring(map.sea), true)

if core.register_mapgen_script then
    -- Luanti 5.9 and later: in the threads of the map generator.
    core.register_mapgen_script(path .. "/mapgen.lua")
else
    -- Earlier versions: in the thread of the server.
    local generate = dofile(path .. "/mapgen.lua")
    core.register_on_generated(function(minp, maxp)
        local vm = core.get_mapgen_object("voxelmanip")
        if generate(vm, minp, maxp) then
            vm:write_to_map()
            vm:update_liquids()
        end
    end)
end

local spawn = {x = map.spawn[1], y = map.spawn[2], z = map.spawn[3]}
core.register_on_newplayer(function(player)
    player:set_pos(spawn)
end)
core.register_on_respawnplayer(function(player)
    player:set_pos(spawn)
    return true
end)
