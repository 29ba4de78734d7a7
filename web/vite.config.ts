import { defineConfig } from 'vite';

export default defineConfig({
  base: './',
  build: {
    outDir: '../crates/weald-cli/page',
    emptyOutDir: true,
    target: 'es2022',
    chunkSizeWarningLimit: 1200,
  },
  worker: { format: 'es' },
});
