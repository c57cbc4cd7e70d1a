import { Box } from '@chakra-ui/react'
import { useIsFetching, useIsMutating } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useNavigation } from 'react-router'

const THROTTLE_MS = 200

/** Two pixels under the environment bar while something is under way for longer than 200 ms. */
export const LoadingBar = () => {
  const busy = useIsFetching() + useIsMutating() > 0
  const going = useNavigation().state !== 'idle'
  const wanted = busy || going
  const [shown, setShown] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setShown(wanted), wanted ? THROTTLE_MS : 0)
    return () => clearTimeout(timer)
  }, [wanted])
  return (
    <Box position="relative" h="0" zIndex="sticky" aria-hidden="true">
      {shown ? (
        <Box
          position="absolute"
          insetInline="0"
          h="2px"
          transformOrigin="left"
          bg="accent.emphasized"
          overflow="hidden"
          _after={{
            content: '""',
            position: 'absolute',
            insetBlock: '0',
            w: '30%',
            bg: 'accent.solid',
            animation: 'parley-run 1.1s ease-in-out infinite',
          }}
        />
      ) : null}
    </Box>
  )
}
