// Materials of the walk. They are lit at the vertices: that is enough for soft light and cheap everywhere.

import { DoubleSide, ShaderMaterial } from 'three';
import type { Texture } from 'three';
import { FINISH, LIGHT } from './sky';
import type { Uniforms } from './sky';

/** The ground: colours of the chunk with a little grain; water that is part of it mirrors the sky. */
export function groundMaterial(light: Uniforms, noise: Texture): ShaderMaterial {
  return new ShaderMaterial({
    // The entries are shared, not copied: a change of the light reaches all materials.
    uniforms: { ...light, noise: { value: noise } },
    vertexShader: /* glsl */ `
      attribute vec4 color;
      varying vec3 vColour, vShade, vMirror;
      varying vec4 vHaze;
      varying vec2 vSpot;
      varying float vWet;
      ${LIGHT}
      void main() {
        vec4 place = modelMatrix * vec4(position, 1.0);
        vColour = linearOf(color.rgb);
        // Colours of a map are purer and lighter than those of a landscape.
        vColour = mix(vec3(dot(vColour, vec3(0.3, 0.59, 0.11))), vColour, 0.86) * 0.76;
        vShade = lit(vec3(1.0), normalize(normal));
        vHaze = hazeOf(place.xyz);
        vWet = color.a;
        vec3 way = normalize(place.xyz - cameraPosition);
        float facing = clamp(-way.y, 0.0, 1.0);
        vMirror = mix(lakeBody(), skyAt(vec3(way.x, facing, way.z)), fresnelOf(facing));
        // Chunks are multiples of 64 m wide: a pattern with a period that divides this has no seams.
        vSpot = position.xz / 64.0;
        gl_Position = projectionMatrix * viewMatrix * place;
      }`,
    fragmentShader: /* glsl */ `
      uniform sampler2D noise;
      varying vec3 vColour, vShade, vMirror;
      varying vec4 vHaze;
      varying vec2 vSpot;
      varying float vWet;
      ${LIGHT}
      void main() {
        vec3 fine = texture2D(noise, vSpot * 16.0).rgb;
        vec3 broad = texture2D(noise, vSpot * 2.0).gbr;
        float close = texture2D(noise, vSpot * 64.0).a;
        float grain = (fine.r - 0.5) * 0.4 + (broad.g - 0.5) * 0.36 + (close - 0.5) * 0.4;
        // Dry and lush spots differ in hue, not only in brightness.
        vec3 tint = vec3(1.0) + vec3(0.16, 0.02, -0.12) * (broad.r - 0.5) + vec3(0.07, 0.0, -0.05) * (fine.g - 0.5);
        vec3 soil = vColour * (1.0 + grain) * tint * vShade;
        gl_FragColor = vec4(mix(mix(soil, vMirror, vWet), vHaze.rgb, vHaze.a), 1.0);
        ${FINISH}
      }`,
  });
}

/** Lakes near the eye: clear at the shore, mirrors of the sky at a low angle. */
export function lakeMaterial(light: Uniforms, noise: Texture): ShaderMaterial {
  return new ShaderMaterial({
    uniforms: { ...light, noise: { value: noise } },
    transparent: true,
    depthWrite: false,
    side: DoubleSide,
    vertexShader: /* glsl */ `
      attribute float depth;
      varying vec3 vPlace;
      varying vec4 vHaze;
      varying vec2 vSpot;
      varying float vDepth;
      ${LIGHT}
      void main() {
        vec4 place = modelMatrix * vec4(position, 1.0);
        vPlace = place.xyz;
        vHaze = hazeOf(place.xyz);
        vSpot = position.xz / 64.0;
        vDepth = depth;
        gl_Position = projectionMatrix * viewMatrix * place;
      }`,
    fragmentShader: /* glsl */ `
      uniform sampler2D noise;
      varying vec3 vPlace;
      varying vec4 vHaze;
      varying vec2 vSpot;
      varying float vDepth;
      ${LIGHT}
      void main() {
        vec3 way = vPlace - cameraPosition;
        float far = length(way);
        way /= far;
        vec2 a = texture2D(noise, vSpot * 6.0 + time * vec2(0.011, 0.007)).rg;
        vec2 b = texture2D(noise, vSpot.yx * 17.0 - time * vec2(0.019, 0.013)).ba;
        // Ripples that are smaller than a pixel would sparkle.
        float rough = 0.16 / (1.0 + far * 0.012);
        vec3 n = normalize(vec3((a + b - 1.0) * rough, 1.0)).xzy;
        float facing = clamp(abs(dot(way, n)), 0.0, 1.0);
        float fresnel = fresnelOf(facing);
        vec3 up = reflect(way, n);
        up.y = abs(up.y);
        float glint = pow(max(dot(up, sunDir), 0.0), 180.0) * 0.8;
        vec3 colour = mix(lakeBody(), skyAt(up), fresnel) + glint;
        float clear = exp(-max(vDepth, 0.0) * 0.7);
        // The last hand's breadth of depth fades out, so that the shore has no hard edge.
        float alpha = mix(1.0 - clear * 0.85, 1.0, fresnel) * smoothstep(-0.02, 0.12, vDepth);
        gl_FragColor = vec4(mix(colour, vHaze.rgb, vHaze.a), alpha);
        ${FINISH}
      }`,
  });
}

/** Models of things: colours at the vertices; walls with a facade get rows of windows. */
export function solidMaterial(light: Uniforms): ShaderMaterial {
  return new ShaderMaterial({
    uniforms: light,
    vertexShader: /* glsl */ `
      attribute vec3 color;
      attribute vec2 facade;
      varying vec3 vColour, vShade;
      varying vec4 vHaze;
      varying vec2 vFacade;
      ${LIGHT}
      void main() {
        vec4 place = modelMatrix * vec4(position, 1.0);
        vColour = linearOf(color);
        vShade = lit(vec3(1.0), normalize(normal));
        vHaze = hazeOf(place.xyz);
        vFacade = facade;
        gl_Position = projectionMatrix * viewMatrix * place;
      }`,
    fragmentShader: /* glsl */ `
      varying vec3 vColour, vShade;
      varying vec4 vHaze;
      varying vec2 vFacade;
      ${LIGHT}
      void main() {
        vec2 cell = vFacade / vec2(2.4, 3.1);
        vec2 pane = abs(fract(cell) - 0.5);
        // Far away windows are finer than a pixel: blend them into a tint.
        float blur = clamp(max(fwidth(cell.x), fwidth(cell.y)) * 1.4, 0.02, 1.0);
        vec2 inside = smoothstep(vec2(0.22, 0.27) + blur * 0.5, vec2(0.22, 0.27) - blur * 0.5, pane);
        float window = inside.x * inside.y * step(0.05, vFacade.y) * step(0.001, vFacade.x);
        vec3 glass = mix(vec3(0.05, 0.07, 0.09), horizon * 0.45, fract(dot(floor(cell), vec2(0.37, 0.61))));
        vec3 colour = mix(vColour * vShade, glass, window * 0.85);
        gl_FragColor = vec4(mix(colour, vHaze.rgb, vHaze.a), 1.0);
        ${FINISH}
      }`,
  });
}
