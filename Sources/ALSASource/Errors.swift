private import SplitcapCore
