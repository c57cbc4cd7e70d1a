declare module 'virtual:icon/*' {
  import type { LucideIcon } from 'lucide-react'
  export const ICONS: Readonly<Record<string, LucideIcon>>
}

declare module 'virtual:block-category' {
  export const CATEGORIES: Readonly<Record<string, string>>
}

declare module 'virtual:place' {
  import type { LucideIcon } from 'lucide-react'
  import type { PlacedEntity } from '#domain/place.ts'
  export const ICONS: Readonly<Record<string, LucideIcon>>
  export const PLACES: readonly PlacedEntity[]
}

declare module 'virtual:entity-name' {
  export const ENTITY_NAMES: Readonly<Record<string, () => Promise<{ default: Record<string, unknown> }>>>
}
