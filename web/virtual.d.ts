declare module 'virtual:icon/*' {
  import type { LucideIcon } from 'lucide-react'
  export const ICONS: Readonly<Record<string, LucideIcon>>
}

declare module 'virtual:block-category' {
  export const CATEGORIES: Readonly<Record<string, string>>
}
