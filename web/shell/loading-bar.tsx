import { Box } from '@chakra-ui/react'
import { useIsFetching, useIsMutating } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useNavigation } from 'react-router'
import { createPending } from './pending.ts'
import { StandBy } from './stand-by.tsx'

/** Time until the bar is full; longer loads show a moving light over it. */
const DURATION_MS = 5000

const FILL = {
  content: '""',
  position: 'absolute',
  inset: '0',
  bg: 'accent.solid',
  transformOrigin: 'left',
  animation: `parley-fill ${DURATION_MS}ms cubic-bezier(.1,.7,.3,1) forwards`,
} as const
const LIGHT = {
  content: '""',
  position: 'absolute',
  insetBlock: '0',
  w: '30%',
  bg: 'bg.surface',
  opacity: '0.5',
  translate: '-100% 0',
  animation: `parley-run 1.1s ease-in-out ${DURATION_MS}ms infinite`,
} as const

/** Two pixels under the environment bar while something is under way, and a word where a page does not come. */
export const LoadingBar = () => {
  const isBusy = useIsFetching() + useIsMutating() > 0
  const isGoing = useNavigation().state !== 'idle'
  const [isShown, setShown] = useState(false)
  const [pending] = useState(() => createPending(setShown))
  useEffect(() => pending.set(isBusy || isGoing), [pending, isBusy, isGoing])
  return (
    <>
      <Box position="relative" h="0" zIndex="sticky" aria-hidden="true">
        {isShown ? (
          <Box
            data-loading=""
            position="absolute"
            insetInline="0"
            h="2px"
            bg="accent.emphasized"
            overflow="hidden"
            _before={FILL}
            _after={LIGHT}
          />
        ) : null}
      </Box>
      {isGoing ? <StandBy /> : null}
    </>
  )
}
