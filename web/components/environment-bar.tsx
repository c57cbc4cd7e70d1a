import { Box } from '@chakra-ui/react'
import { useInstance } from '#web/app/instance-context.ts'
import { themeOf } from '#web/theme/instance-theme.ts'

const LOOK = {
  solid: { h: '4px', bg: 'accent.solid' },
  hatch: {
    h: '6px',
    background: 'repeating-linear-gradient(135deg, {colors.accent.solid} 0 8px, {colors.accent.emphasized} 8px 14px)',
  },
  dash: {
    h: '6px',
    background: 'repeating-linear-gradient(90deg, {colors.accent.solid} 0 14px, transparent 14px 22px)',
  },
}

/** The line above every page: colour and pattern of the instance. */
export const EnvironmentBar = () => {
  const { theme } = useInstance()
  return <Box flex="none" aria-hidden="true" {...LOOK[themeOf(theme).bar]} />
}
