import { Box, Skeleton } from '@chakra-ui/react'
import { type ComponentType, type ReactNode, useState } from 'react'
import { lazyModule, useLazyModule } from '#web/lazy-module.ts'

type Load<P> = () => Promise<ComponentType<P>>

/**
 * A control that is loaded when it is used. Until then a blank: the JSON of its value would be shown for a moment.
 * `plain` shows the value where the control cannot be loaded.
 */
export const lazyControl = <P extends object>(load: Load<P>, height: string, plain?: (props: P) => ReactNode) => {
  const module = lazyModule(load)
  return (props: P) => {
    const { value: Control, error } = useLazyModule(module)
    if (Control !== undefined) return <Control {...props} />
    if (error !== undefined && plain !== undefined) return plain(props)
    return <Skeleton h={height} w="100%" borderRadius="lg" />
  }
}

/** A control that takes the place of a plain input once it is loaded, but not while that has the focus. */
export const plainFirst = <P extends object>(load: Load<P>, plain: (props: P) => ReactNode) => {
  const module = lazyModule(load)
  return (props: P) => {
    const { value: Control } = useLazyModule(module)
    const [isFocused, setFocused] = useState(false)
    if (Control !== undefined && !isFocused) return <Control {...props} />
    return (
      <Box w="100%" onFocus={() => setFocused(true)} onBlur={() => setFocused(false)}>
        {plain(props)}
      </Box>
    )
  }
}
