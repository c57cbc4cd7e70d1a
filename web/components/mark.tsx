import { chakra } from '@chakra-ui/react'

/** The product's mark, in the accent of the instance. */
export const Mark = ({ size = 26 }: { readonly size?: number }) => (
  <chakra.svg viewBox="0 0 26 26" aria-hidden="true" flex="none" style={{ width: size, height: size }}>
    <chakra.rect width="26" height="26" rx="7" fill="accent.solid" />
    <chakra.path
      d="M8 20V8.5h6.2a4.3 4.3 0 0 1 0 8.6H11L8 20z"
      fill="none"
      stroke="accent.contrast"
      strokeWidth="2.4"
      strokeLinejoin="round"
    />
    <chakra.circle cx="14" cy="12.8" r="1.5" fill="accent.contrast" />
  </chakra.svg>
)
