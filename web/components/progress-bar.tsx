import { Box, type BoxProps } from '@chakra-ui/react'

interface Props extends BoxProps {
  readonly label: string
  readonly percent: number
  /** Progress in words. */
  readonly text?: string
  readonly tone?: 'accent' | 'info'
}

/** Share of work that is done, as a bar. */
export const ProgressBar = ({ label, percent, text, tone = 'accent', ...box }: Props) => (
  <Box
    role="progressbar"
    aria-label={label}
    aria-valuemin={0}
    aria-valuemax={100}
    aria-valuenow={Math.round(percent)}
    aria-valuetext={text}
    h="6px"
    borderRadius="full"
    bg="bg.sunken"
    overflow="hidden"
    {...box}
  >
    <Box h="100%" bg={`${tone}.solid`} transition="width 200ms" style={{ width: `${percent}%` }} />
  </Box>
)
