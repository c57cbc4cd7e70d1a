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

declare module 'virtual:language-text' {
  type Loaders<T> = Readonly<Record<string, () => Promise<T>>>
  type Texts = Record<string, unknown>
  export const ENTITY_NAMES: Loaders<Texts>
  export const NAMESPACES: Loaders<Loaders<Texts>>
}
