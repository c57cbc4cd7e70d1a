import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { blockCategoryPlugin } from './block-category-plugin.ts'
import { iconPlugin } from './icon-plugin.ts'

const folder = (name: string) => fileURLToPath(new URL(`../${name}`, import.meta.url))
const gateway = process.env.PARLEY_GATEWAY ?? 'http://127.0.0.1:3000'

/** The console. In development the gateway of PARLEY_GATEWAY answers calls and sockets. */
export default defineConfig({
  root: folder('web'),
  base: '/botadmin/',
  plugins: [react(), iconPlugin(folder('web')), blockCategoryPlugin(folder('schemas/blocks'))],
  resolve: {
    alias: ['schemas', 'domain', 'web'].map(name => ({
      find: new RegExp(`^#${name}/`),
      replacement: `${folder(name)}/`,
    })),
  },
  build: {
    outDir: folder('web/dist'),
    emptyOutDir: true,
    target: 'es2023',
    sourcemap: false,
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler|react-router)[\\/]/, priority: 3 },
          ],
        },
      },
    },
  },
  server: {
    host: '127.0.0.1',
    proxy: {
      '/botadmin/api': { target: gateway },
      '/botadmin/t': { target: gateway },
      '/botadmin/socket.io': { target: gateway, ws: true },
      '/botadmin/realtime': { target: gateway, ws: true },
    },
  },
})
