import { defineConfig } from 'vitest/config'

/** Forks, not threads: the code under test starts worker threads of its own, which Node loads as TypeScript by itself. */
export default defineConfig({
  test: {
    include: ['**/*.test.ts', '**/*.test.tsx'],
    exclude: ['**/node_modules/**', 'web/dist/**'],
    pool: 'forks',
    testTimeout: 20_000,
    hookTimeout: 20_000,
    teardownTimeout: 5_000,
  },
})
