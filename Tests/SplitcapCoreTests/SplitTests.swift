import SplitcapCore
import Testing
