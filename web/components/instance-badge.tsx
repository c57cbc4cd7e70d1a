import { chakra } from '@chakra-ui/react'
import { useInstance } from '#web/api/early-read.ts'
import { type InstanceShape, themeOf } from '#web/theme/instance-theme.ts'

const line = {
  fill: 'none',
  stroke: 'currentColor',
  strokeWidth: 2,
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
} as const

const SHAPES: Readonly<Record<InstanceShape, React.ReactNode>> = {
  shield: <path {...line} d="M12 3l8 3v6c0 5-4 8-8 9-4-1-8-4-8-9V6zM8.5 12l2.5 2.5 4.5-5" />,
  half: (
    <>
      <circle {...line} cx="12" cy="12" r="9" />
      <path d="M12 3a9 9 0 0 1 0 18z" fill="currentColor" />
    </>
  ),
  flask: <path {...line} d="M9 3h6M10 3v6l-5 9a2 2 0 0 0 2 3h10a2 2 0 0 0 2-3l-5-9V3M7.5 15h9" />,
  circle: <circle cx="12" cy="12" r="8" fill="currentColor" />,
  square: <rect x="4" y="4" width="16" height="16" rx="3" fill="currentColor" />,
  triangle: <path d="M12 4l9 16H3z" fill="currentColor" />,
  diamond: <path d="M12 2l9 10-9 10-9-10z" fill="currentColor" />,
  hexagon: <path d="M7 3.5h10L22 12l-5 8.5H7L2 12z" fill="currentColor" />,
  plus: <path {...line} strokeWidth={4} d="M12 4v16M4 12h16" />,
  ring: <circle {...line} strokeWidth={4} cx="12" cy="12" r="7.5" />,
}

export const ShapeIcon = ({ shape, size = 14 }: { readonly shape: InstanceShape; readonly size?: number }) => (
  <svg width={size} height={size} viewBox="0 0 24 24" aria-hidden="true" style={{ flex: 'none' }}>
    {SHAPES[shape]}
  </svg>
)

/** Which installation this is: on every screen, so that nobody takes one for another. */
export const InstanceBadge = () => {
  const instance = useInstance()
  return (
    <chakra.span
      display="inline-flex"
      alignItems="center"
      gap="1.5"
      h="6"
      pl="7px"
      pr="9px"
      borderRadius="6px"
      bg="accent.solid"
      color="accent.contrast"
      fontSize="xs"
      fontWeight="semibold"
      whiteSpace="nowrap"
      flex="none"
    >
      <ShapeIcon shape={themeOf(instance.theme).shape} />
      {instance.name}
    </chakra.span>
  )
}
