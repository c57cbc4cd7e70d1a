import type { ComponentType } from 'react'

/**
 * Pages of an entity that replace the generated ones, by path: `/user/:id`. A file `web/features/{entity}/pages.ts`
 * exports them; the declaration says `page: 'own'`.
 */
export type OwnPages = Readonly<Record<string, () => Promise<ComponentType>>>
