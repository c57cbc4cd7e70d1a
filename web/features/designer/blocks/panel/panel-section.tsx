import { chakra } from '@chakra-ui/react'
import type { ReactNode } from 'react'

/** A panel's frame: its name and what it shows. */
export const PanelSection = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <section className="pl-section" aria-label={title}>
    <chakra.h3 fontSize="xs" fontWeight="semibold" color="fg.muted">
      {title}
    </chakra.h3>
    {children}
  </section>
)
