-- Makes the part of the map that the setting `weald_probe` names, writes a line for each of its columns into the folder of the world (x, z, y
-- and name of the highest node that is neither air nor water, and name and y of the highest water), and ends the server.
local bounds = {}
for number in core.settings:get("weald_probe"):gmatch("-?%d+") do
    bounds[#bounds + 1] = tonumber(number)
end
local low = {x = bounds[1], y = bounds[3], z = bounds[5]}
local high = {x = bounds[2], y = bounds[4], z = bounds[6]}

local function report()
    local names = {}
    local out = io.open(core.get_worldpath() .. "/columns.txt", "w")
    for z = low.z, high.z do
        local manip = core.get_voxel_manip({x = low.x, y = low.y, z = z}, {x = high.x, y = high.y, z = z})
        local from, to = manip:get_emerged_area()
        local area = VoxelArea:new({MinEdge = from, MaxEdge = to})
        local data = manip:get_data()
        for x = low.x, high.x do
            local top, ground, water, level = "none", "none", "none", "none"
            for y = high.y, low.y, -1 do
                local id = data[area:index(x, y, z)]
                names[id] = names[id] or core.get_name_from_content_id(id)
                if names[id]:find("water") then
                    if water == "none" then
                        water, level = names[id], y
                    end
                elseif names[id] ~= "air" then
                    top, ground = y, names[id]
                    break
                end
            end
            out:write(table.concat({x, z, top, ground, water, level}, " "), "\n")
        end
    end
    out:close()
    core.request_shutdown()
end

core.register_on_mods_loaded(function()
    core.after(0, function()
        core.emerge_area(low, high, function(_, _, left)
            if left == 0 then
                -- Liquids flow for a few steps of the server.
                core.after(3, report)
            end
        end)
    end)
end)
